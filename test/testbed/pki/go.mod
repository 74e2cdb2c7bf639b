module plimsoll.dev/testbed/pki

go 1.26.0
