#!/bin/busybox sh
# First process of the guest. Kernel parameters: rig.run=COMMAND,ARGUMENT,... is run; QEMU leaves with 2 * its status + 1.
export PATH=/bin:/usr/bin HOME=/tmp NODE_COMPILE_CACHE=/tmp/compile-cache
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mark() { read -r up _ < /proc/uptime; echo "@$1 after $up s"; }
# What modprobe would add of its own files.
options() { cat /etc/modprobe.d/*.conf 2>/dev/null | while read -r word name more; do [ "$word $name" = "options $1" ] && echo "$more"; done; }
while read -r module; do
  name=${module##*/}
  insmod $module $(options ${name%%.ko*}) || echo "@insmod $module failed"
done < /lib/modules/list
mount -t configfs none /sys/kernel/config
# Programs, the project and its Node are those of the machine outside, read-only.
for share in usr repo node; do
  mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=1048576 $share /$share || echo "@9p $share failed"
done
ln -s usr/lib64 /lib64
ln -s ../usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu
ip link set lo up
mkdir -p /run/udev
export LD_LIBRARY_PATH=/lib/udev-libs
/lib64/ld-linux-x86-64.so.2 --argv0 systemd-udevd /bin/udevadm --daemon || echo "@udevd failed"
# What was plugged in before, as at the start of a machine.
udevadm trigger --action=add --subsystem-match=usb --subsystem-match=input && udevadm settle || echo "@udevadm failed"
unset LD_LIBRARY_PATH
mark ready
export NODE_ENV=test NODE_COMPILE_CACHE=/tmp/compile-cache
cd /repo || exit
for word in $(cat /proc/cmdline); do
  case "$word" in rig.run=*) command=${word#rig.run=};; esac
done
IFS=,
$command
status=$?
# What the kernel saw of the plugs, where a test has failed.
[ $status = 0 ] || /bin/busybox dmesg | /bin/busybox tail -n 80
mark done
printf "\\x$(printf %02x $status)" | dd of=/dev/port bs=1 seek=244 conv=notrunc 2>/dev/null
