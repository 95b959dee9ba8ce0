/** Tests that run only on a machine of the lab, and change it. */
package io.dra4j.dranet.lab;
