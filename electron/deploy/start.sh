#!/bin/sh
# The X server with the terminal's session. Ends with the code of the supervisor, which xinit keeps to itself.
rm -f "$RUNTIME_DIRECTORY/ended"
/usr/bin/xinit /opt/banca/electron/deploy/session.sh -- "$@"
exit "$(cat "$RUNTIME_DIRECTORY/ended" || echo 1)"
