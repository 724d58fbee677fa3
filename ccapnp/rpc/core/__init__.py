"""The RPC protocol without any I/O: bytes in, bytes and calls out; no socket, no event loop, no thread, no clock.

From the bottom up:

- `turns`: what is to be done soon, in order.  Whoever has a loop runs it; code of users' is called from there alone.
- `payload`, `request`: parameters and results, with the capabilities that go with them; `heads` and `wire` make
  messages of them.
- `hooks`: what a capability is underneath, and what all can be asked; a call of one never blocks, and runs no code of
  users' before it returns.  `promises` are hooks that become another hook, `local` ones are objects in this process.
- `pending`: a call that was made, whose results come later and can be built upon at once.
- `connection`: the state of one connection, in four tables and that of embargoes, and what is sent; `receiving` is what
  each message of the peer's does to it.  `questions` are our calls and `answers` the peer's; `exports` are our
  capabilities and `remote` ones the peer's, which `descriptors` puts into messages and gets out of them.

The source is rpc.capnp, and for what it leaves open, capnp/rpc.h.
"""
