"""Writes an address book to standard output, or prints the one on standard input.

    python addressbook.py write | python addressbook.py read

`addressbook_capnp` is made from addressbook.capnp by ``ccapnp compile addressbook.capnp``.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

from addressbook_capnp import AddressBook, Person


def write(file: BinaryIO) -> None:
    """Write an address book of two people."""
    alice = {
        "id": 123,
        "name": "Alice",
        "email": "alice@example.com",
        "phones": [{"number": "555-1212", "type": "mobile"}],
        "employment": {"school": "MIT"},
    }
    book = AddressBook.new_message(people=[alice, {}])
    bob = book.people[1]
    bob.id = 456
    bob.name = "Bob"
    bob.email = "bob@example.com"
    bob.phones = [{"number": "555-4567", "type": "home"}, {"number": "555-7654", "type": "work"}]
    bob.employment.unemployed = None
    book.write(file)


def employment(person: Person.Reader) -> str:
    """What someone does for a living, as a line of text."""
    which = person.employment.which()
    if which == "employer":
        return f"employer: {person.employment.employer}"
    if which == "school":
        return f"student at: {person.employment.school}"
    return "self-employed" if which == "selfEmployed" else "unemployed"


def read(file: BinaryIO) -> None:
    """Print an address book."""
    book = AddressBook.read(file)
    if book is None:
        sys.exit("there is no address book on standard input")
    for person in book.people:
        print(f"{person.name}: {person.email}")
        for phone in person.phones:
            print(f"  {phone.type} phone: {phone.number}")
        print(f"  {employment(person)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write(sys.stdout.buffer)
    elif sys.argv[1:] == ["read"]:
        read(sys.stdin.buffer)
    else:
        sys.exit("usage: addressbook.py write | addressbook.py read")
