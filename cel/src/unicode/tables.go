// Writes what the regular expressions and the quoting of CEL must know of Unicode, in the version that the API server's Go has:
//
//	go run cel/src/unicode/tables.go > cel/src/main/resources/io/dra4j/cel/internal/text/unicode.txt
//	GOTOOLCHAIN=go1.27.3 go run cel/src/unicode/tables.go > cel/src/main/resources/io/dra4j/cel/internal/text/unicode-17.txt
//
// Names are as the package regexp/syntax looks them up. That of Go 1.26 does not find scripts whose names have two words; they are
// left out there.
//
// A line is a name and the ranges of its characters, as differences in base 36: to the beginning of a range from the end of the
// one before, then to its end. "alias" lines give other names of categories; the line "fold" has cycles of characters that are
// equal but for their case: the first as the difference to that of the cycle before, the others to it.
package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, "# SPDX-License-Identifier: Unicode-DFS-2016\n# Unicode %s, from Go's package unicode by cel/src/unicode/tables.go\n", unicode.Version)
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			if name == "LC" || canonical(name) == name || finds(name) {
				fmt.Fprintf(out, "%s%s\n", canonical(name), ranges(tables[name]))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unicode.CategoryAliases)) {
		fmt.Fprintf(out, "alias %s %s\n", canonical(name), canonical(unicode.CategoryAliases[name]))
	}
	fmt.Fprintf(out, "fold%s\n", cycles())
	checkFolds()
}

func finds(name string) bool {
	_, err := syntax.Parse("\\p{"+name+"}", syntax.Perl)
	return err == nil
}

// A name without spaces, hyphens and underscores, with only the first letter large.
func canonical(name string) string {
	name = strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))
	return strings.ToUpper(name[:1]) + name[1:]
}

func number(n rune) string {
	return strconv.FormatInt(int64(n), 36)
}

func ranges(table *unicode.RangeTable) string {
	var text strings.Builder
	end, from := rune(0), rune(-1)
	for c := rune(0); c <= unicode.MaxRune+1; c++ {
		if in := c <= unicode.MaxRune && unicode.Is(table, c); in && from < 0 {
			from = c
		} else if !in && from >= 0 {
			text.WriteString(" " + number(from-end) + " " + number(c-1-from))
			end, from = c-1, -1
		}
	}
	return text.String()
}

func cycles() string {
	var text strings.Builder
	written := map[rune]bool{}
	last := rune(0)
	for c := rune(0); c <= unicode.MaxRune; c++ {
		others := ""
		for next := unicode.SimpleFold(c); next > c; next = unicode.SimpleFold(next) {
			others += "+" + number(next-c)
		}
		if others != "" && !written[c] {
			text.WriteString(" " + number(c-last) + others)
			last = c
		}
		for next := unicode.SimpleFold(c); next > c; next = unicode.SimpleFold(next) {
			written[next] = true
		}
	}
	return text.String()
}

// What Go adds to a table where case is ignored must be the other cases of its characters. It forgets LC.
func checkFolds() {
	check := func(name string, table, added *unicode.RangeTable) {
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if unicode.Is(table, c) {
				continue
			}
			other := false
			for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
				other = other || unicode.Is(table, f)
			}
			if other != (added != nil && unicode.Is(added, c)) {
				fmt.Fprintf(os.Stderr, "%s: %U: other case %v\n", name, c, other)
				os.Exit(1)
			}
		}
	}
	for name, table := range unicode.Categories {
		if name == "LC" {
			continue
		}
		check(name, table, unicode.FoldCategory[name])
	}
	for name, table := range unicode.Scripts {
		check(name, table, unicode.FoldScript[name])
	}
}
