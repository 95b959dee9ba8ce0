/** What only a machine of the lab can test, and there changes. */
package io.dra4j.dranet.lab;
