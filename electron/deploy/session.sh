#!/bin/sh
# X session of the terminal: a window manager without bindings, and the window, again after every end of its own or the supervisor's.
cd "$(dirname "$0")/../.." || exit 1
HOME=$RUNTIME_DIRECTORY openbox --sm-disable --config-file electron/deploy/openbox-rc.xml &
while kill -0 $! 2>/dev/null; do
  node_modules/.bin/node --disable-sigusr1 electron/window.ts /run/banca-window.sock
  sleep 1
done
