"""The place in the tokens of a file where its parser is, and the ways to go on after a fault."""

from __future__ import annotations

from ccapnp.language.diagnostics import Diagnostics, Source
from ccapnp.language.lexer import BAD, BINARY, END, NAME, NOT_TEXT, TEXT, Token, tokenize
from ccapnp.language.syntax import Name, Number, Span

__all__ = ["MAX_NESTING", "Cursor", "Fault"]

# Of blocks, parentheses and brackets in each other.  Whoever walks the tree may recurse.
MAX_NESTING = 100

# Enough to work with.  Each costs a look at its line, so that a file of one long line could take its square in time.
MAX_FAULTS = 100

STATEMENT_ENDS = frozenset((";", "{", "}", END))
KEYWORDS = frozenset(("annotation", "const", "enum", "interface", "struct", "union", "using"))
FOREIGN = {
    "//": "a comment begins with '#'",
    "/*": "a comment begins with '#', and goes on to the end of its line",
    "/**": "a comment begins with '#', and goes on to the end of its line",
    "=>": "the arrow before a method's results is '->'",
}


class Fault(Exception):
    """The statement, or the item in parentheses, makes no sense from here on."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.message = message


class Broken(Fault):
    """A fault that explains whatever else is strange about the statement."""


class Cursor:
    """`kind` is that of the `token` to be read next."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.faults = 0
        self._muted = False
        self._depth = 0
        self.tokens = tokenize(source.data)
        self.go_to(0)

    # ---- reading

    def go_to(self, at: int) -> None:
        self.at = at
        self.token = self.tokens[at]
        self.kind = self.token.kind

    def advance(self) -> None:
        """To the next token; the last one, END, stays."""
        if self.kind != END:
            self.go_to(self.at + 1)

    @property
    def next_kind(self) -> str:
        """The kind of the token behind this one."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)].kind

    @property
    def last(self) -> Token:
        """The token that was read last."""
        return self.tokens[self.at - 1]

    @property
    def end(self) -> int:
        """Where that ends."""
        return self.last.end if self.at else 0

    def since(self, start: int) -> Span:
        """From ``start`` to the last token that was read."""
        return Span(start, self.end)

    def accept(self, kind: str) -> bool:
        """Read a token if it is of this kind."""
        if self.kind != kind:
            return False
        self.advance()
        return True

    def expect(self, kind: str, purpose: str) -> None:
        """Read a token of this kind."""
        if not self.accept(kind):
            raise self.unexpected(purpose)

    def is_word(self, text: str) -> bool:
        """Whether the next token is this name."""
        return self.kind == NAME and self.token.value == text

    def name(self, purpose: str) -> Name:
        """Read a name."""
        token = self.token
        if token.kind != NAME:
            raise self.unexpected(purpose)
        self.advance()
        return Name(str(token.value), token.span)

    def number(self, purpose: str) -> Number:
        """Read what is behind an ``@``."""
        token = self.token
        if not isinstance(token.value, int):
            raise self.unexpected(purpose)
        self.advance()
        return Number(token.value, token.span)

    # ---- faults

    def unexpected(self, purpose: str) -> Fault:
        """The fault that the next token is not what it should be."""
        token = self.token
        if token.kind == BAD:
            return Broken(token.span, str(token.value))
        if token.kind in FOREIGN:
            return Fault(token.span, FOREIGN[token.kind])
        hint = ""
        if token.kind not in ("->", END) and len(token.kind) > 1 and not token.kind.isalpha():
            hint = "; operators that touch are one: put a space between them"
        return Fault(token.span, f"expected {purpose}, but found {self.describe()}{hint}")

    def describe(self) -> str:
        """The next token, for a message."""
        token = self.token
        if token.kind == END:
            return "the end of the file"
        if token.kind in (TEXT, BINARY):
            return "a string"
        return f"'{self.source.data[token.start : min(token.end, token.start + 40)].decode('utf-8', 'replace')}'"

    def unclosed(self, opening: Token, fault: Fault) -> Fault:
        """The fault that a parenthesis has no end, which ``fault`` led to."""
        if isinstance(fault, Broken):
            return fault
        return Broken(opening.span, f"this '{opening.kind}' is not closed before its statement ends")

    def missing_end(self, mark: str) -> Fault:
        """The fault that a statement does not end here."""
        if self.kind in ("}", END) or self.at_new_statement():
            return Fault(Span(self.end, self.end), f"expected {mark} at the end of this statement")
        return self.unexpected(mark)

    def complain(self, span: Span, message: str) -> None:
        """Report what is wrong, and go on; but not for ever."""
        if self._muted:
            return
        self.diagnostics.report(self.source, span, message)
        self.faults += 1
        if self.faults == MAX_FAULTS or message == NOT_TEXT:
            self.give_up()

    def give_up(self) -> None:
        """To the end of the file; what follows from that is not worth a word."""
        self._muted = True
        self.go_to(len(self.tokens) - 1)

    def report(self, fault: Fault) -> None:
        """Report a fault behind which there is a way to go on."""
        self.complain(fault.span, fault.message)

    def enter(self) -> None:
        """One more level of nesting."""
        if self._depth == MAX_NESTING:
            raise Broken(self.token.span, f"this is nested too deeply: {MAX_NESTING} levels are the most")
        self._depth += 1

    def leave(self) -> None:
        """One level less."""
        self._depth -= 1

    # ---- ways to go on

    def skip_item(self) -> None:
        """To the comma or the closing mark behind an item, or to what cannot be in parentheses at all."""
        inner = 0
        while self.kind not in STATEMENT_ENDS and not self.at_new_statement():
            if self.kind in ("(", "["):
                inner += 1
            elif self.kind in (")", "]"):
                if not inner:
                    return
                inner -= 1
            elif self.kind == "," and not inner:
                return
            self.advance()

    def skip_statement(self) -> None:
        """To the end of a statement, or to the next one where the end is missing."""
        while self.kind not in STATEMENT_ENDS and not self.at_new_statement():
            self.advance()

    def skip_block(self) -> None:
        """Behind the closing brace of the block that begins here."""
        inner = 0
        while self.kind != END:
            inner += {"{": 1, "}": -1}.get(self.kind, 0)
            self.advance()
            if not inner:
                return

    def at_new_statement(self) -> bool:
        """Whether a line begins here, and looks as if a statement did, too."""
        if self.kind != NAME or b"\n" not in self.source.data[self.end : self.token.start]:
            return False
        return self.next_kind == "@" or (self.token.value in KEYWORDS and self.next_kind in (NAME, "{"))
