#!/bin/sh
# The terminal's screen: an X server with a new key at every start, which only this account can read.
# The key goes to xauth over a pipe: a command line can be read by every account.
umask 077
export XAUTHORITY="$RUNTIME_DIRECTORY/Xauthority"
rm -f "$XAUTHORITY"
: > "$XAUTHORITY"
[ -d /tmp/.X11-unix ] || mkdir -m 1777 /tmp/.X11-unix
# Another server and display are for tests on a screen in memory.
display=${BANCA_DISPLAY:-:0}
server=${BANCA_X:-/usr/bin/X}
key=$(mcookie) || exit 1
printf 'add %s . %s\n' "$display" "$key" | xauth -q -f "$XAUTHORITY" source - || exit 1
unset key
[ "$server" = /usr/bin/X ] && seat='vt1 -nocursor -dontvtswitch'
# -s 0 -dpms: the screen never blanks. -dontvtswitch: no Ctrl+Alt+Fn. $seat is three words or none.
exec xinit "$(dirname "$0")/session.sh" -- "$server" "$display" $seat -auth "$XAUTHORITY" -nolisten tcp -s 0 -dpms
