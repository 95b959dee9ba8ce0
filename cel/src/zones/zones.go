// Writes the offsets that time zones had before 1970, which the JDK's copy of the IANA database gives to some zones from a
// neighbour, and all offsets of zones that the oldest JDK in use does not know. From the copy of Debian (package tzdata), which
// images of the API server have:
//
//	go run cel/src/zones/zones.go > cel/src/main/resources/io/dra4j/cel/internal/text/zones.txt
//
// A line is the names of zones that had the same offsets, with commas, and an asterisk where these are all; the first offset, and then pairs of when it changed and
// what to, in seconds in base 36: the time as the difference to the one before (the first to 1900), the offset as it is.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
)

const directory = "/usr/share/zoneinfo"

// newZones are those that JDK 17 may not know; their last offset holds for good.
var newZones = []string{"America/Coyhaique"}

const magic = "TZif"

const from = -2208988800 // 1900-01-01T00:00:00Z

func main() {
	root := os.DirFS(directory)
	version, _, _ := strings.Cut(string(must(fs.ReadFile(root, "tzdata.zi"))), "\n")
	names := map[string][]string{}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "posix" || name == "right" {
			return cmp.Or(err, fs.SkipDir)
		}
		if info, err := fs.Stat(root, name); err != nil || info.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err == nil && bytes.HasPrefix(data, []byte(magic)) && name != "localtime" && name != "posixrules" && name != "Factory" {
			all := slices.Contains(newZones, name)
			line := offsets(data, all)
			if all {
				name += "*"
			}
			names[line] = append(names[line], name)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	var lines []string
	for line, same := range names {
		slices.Sort(same)
		lines = append(lines, strings.Join(same, ",")+" "+line)
	}
	slices.Sort(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, "# Public domain: the IANA time zone database, %s, from Debian's copy by cel/src/zones/zones.go\n", strings.TrimPrefix(version, "# "))
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// offsets reads the second part of a file (RFC 9636), whose times have 64 bits.
func offsets(data []byte, all bool) string {
	first := header(data)
	data = data[44+first[3]*5+first[4]*6+first[5]+first[2]*8+first[1]+first[0]:]
	count := header(data)
	data = data[44:]
	times, rest := data[:count[3]*8], data[count[3]*8:]
	kinds, types := rest[:count[3]], rest[count[3]:]
	offset := func(kind byte) int64 { return int64(int32(binary.BigEndian.Uint32(types[int(kind)*6:]))) }
	var line strings.Builder
	last, before := offset(0), int64(from)
	line.WriteString(strconv.FormatInt(last, 36))
	for i, kind := range kinds {
		time := int64(binary.BigEndian.Uint64(times[i*8:]))
		if (time < 0 || all) && offset(kind) != last {
			last = offset(kind)
			fmt.Fprintf(&line, " %s %s", strconv.FormatInt(time-before, 36), strconv.FormatInt(last, 36))
			before = time
		}
	}
	return line.String()
}

// header reads the six counts: of UT indicators, standard indicators, leap seconds, times, types and characters.
func header(data []byte) [6]int {
	if !bytes.HasPrefix(data, []byte(magic)) {
		log.Fatal("no TZif file")
	}
	var counts [6]int
	for i := range counts {
		counts[i] = int(binary.BigEndian.Uint32(data[20+i*4:]))
	}
	return counts
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
