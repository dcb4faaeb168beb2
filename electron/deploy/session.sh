#!/bin/sh
# X session of the terminal: a window manager without bindings, and the supervisor. Ends when the supervisor does.
cd "$(dirname "$0")/../.." || exit 1
openbox --sm-disable --config-file electron/deploy/openbox-rc.xml &
node_modules/.bin/node electron/launch.ts --production --profile /etc/banca/terminal.json --data /var/lib/banca --witness /var/lib/banca-witness
echo "$?" > "$RUNTIME_DIRECTORY/ended"
