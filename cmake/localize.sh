#!/usr/bin/env bash
# Makes all symbols of an archive local that are not meant for its users (hidden visibility): the linker can then neither
# take one of our copies of an inline function for the rest of the program, nor one of the program's for us. Copies
# differ where the two were compiled with other flags.
#   localize.sh LD OBJCOPY AR ARCHIVE
set -euo pipefail
ld=$1 objcopy=$2 ar=$3 archive=$4
whole=$(dirname "$archive")/$(basename "$archive" .a).whole.o
"$ld" -r --force-group-allocation --whole-archive "$archive" -o "$whole"
"$objcopy" --localize-hidden "$whole"
rm "$archive"
"$ar" qcs "$archive" "$whole"
rm "$whole"
