"""How fast `servingctl` is, in ratios that hold on any machine; run by `make bench`."""
