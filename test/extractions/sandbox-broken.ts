// A sandbox child that never becomes ready.

process.stderr.write("a library is missing");
process.exit(1);
