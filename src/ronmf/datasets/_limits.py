"""What files and servers of strangers may cost, each with its reason. No other limits are set."""

# Bytes
DOWNLOAD_BYTES = 2**30  # the largest of the catalog has 140 million
DESCRIPTION_BYTES = 2**20  # of a dataset at OpenML; some thousand as a rule
ARCHIVED_PICTURE_BYTES = 2**28  # unpacked, whatever the archive claims
PHOTOGRAPHS_BYTES = 2**31  # all of an archive that is packed anew; Caltech's have 130 million
LABEL_TABLE_BYTES = 2**28  # some millions of rows
UNPACKED_GROWTH = (
    1040  # how many times its size zlib can unpack a file to; what claims more is broken
)

# Seconds
DOWNLOAD_SECONDS = 3600.0  # in all, however steadily a server drips
SILENT_SECONDS = 30.0  # without a byte; the head of an answer may take twice as long

# Pixels
PICTURE_PIXELS = 80_000_000  # cameras make some 50 million
PICTURE_SIDE = 65_535  # as long as a JPEG file can say
