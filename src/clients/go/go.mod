module leaddb.dev/go

go 1.19
