// Ports of services that are no web servers (the fetch standard's list of bad ports,
// https://fetch.spec.whatwg.org/#port-blocking). A request to one of them can speak to a mail server or a database.

const RANGES = [
  "0-1 7 9 11 13 15 17 19-23 25 37 42-43 53 69 77 79 87 95 101-104 109-111 113 115 117 119 123 135 137 139 143 161",
  "179 389 427 465 512-515 526 530-532 540 548 554 556 563 587 601 636 989-990 993 995 1719-1720 1723 2049 3659",
  "4045 4190 5060-5061 6000 6566 6665-6669 6679 6697 10080",
]
  .join(" ")
  .split(" ")
  .map((range) => range.split("-").map(Number));

/** Whether a port is one of those. */
export function isBlockedPort(port: number): boolean {
  return RANGES.some(([first = 0, last = first]) => port >= first && port <= last);
}
