#!/bin/sh
# X session of the terminal: a window manager without bindings, and the windows, again after every end of their program's own or the supervisor's.
cd "$(dirname "$0")/../.." || exit 1
manage() {
  HOME=$RUNTIME_DIRECTORY openbox --sm-disable --config-file electron/deploy/openbox-rc.xml
}
manage &
manager=$!
# Openbox has one screen: each further one that X has gets its own, and on one that is not there it ends at once.
for screen in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
  DISPLAY="${DISPLAY%.*}.$screen" manage 2>/dev/null &
done
while kill -0 $manager 2>/dev/null; do
  node_modules/.bin/node --disable-sigusr1 electron/window.ts /run/banca-window.sock
  sleep 1
done
