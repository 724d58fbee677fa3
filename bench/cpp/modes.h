// The way of a message between client and server, as bench/cases/modes.py has it.

#pragma once

#include <capnp/message.h>
#include <capnp/serialize-packed.h>
#include <capnp/serialize.h>
#include <kj/io.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

// Where messages are built, one after another; the memory is the same for all of them if it is reused.
class Workplace {
 public:
  explicit Workplace(bool reuse) : scratch(kj::heapArray<capnp::word>(reuse ? 1 << 18 : 0)) {
    memset(scratch.begin(), 0, scratch.asBytes().size());
  }

  capnp::MessageBuilder& begin() {
    message.reset();  // leaves zeros in the scratch memory
    if (scratch.size() > 0) {
      message.emplace(scratch);
    } else {
      message.emplace();
    }
    return *message;
  }

 private:
  kj::Array<capnp::word> scratch;
  std::optional<capnp::MallocMessageBuilder> message;
};

template <typename Case>
int64_t answerObject(const typename Case::Content& content, Workplace& client, Workplace& server) {
  auto request = client.begin().template initRoot<typename Case::Request>();
  Case::request(content, request);
  auto response = server.begin().template initRoot<typename Case::Response>();
  Case::respond(request.asReader(), response);
  return Case::check(response.asReader());
}

// A message as bytes: in memory that is reused, or in new memory.
class Bytes {
 public:
  Bytes(bool packed, bool reuse) : packed(packed), reuse(reuse), buffer(kj::heapArray<kj::byte>(reuse ? 1 << 21 : 0)) {}

  void write(capnp::MessageBuilder& message) {
    if (reuse) {
      kj::ArrayOutputStream out(buffer);
      packed ? capnp::writePackedMessage(out, message) : capnp::writeMessage(out, message);
      written = out.getArray();
    } else if (packed) {
      kj::VectorOutputStream out;
      capnp::writePackedMessage(out, message);
      buffer = kj::heapArray(out.getArray());
      written = buffer;
    } else {
      words = capnp::messageToFlatArray(message);
      written = words.asBytes();
    }
  }

  template <typename Root, typename Use>
  auto read(Use use) {
    if (packed) {
      kj::ArrayInputStream in(written);
      capnp::PackedMessageReader message(in);
      return use(message.getRoot<Root>());
    }
    capnp::FlatArrayMessageReader message(
        kj::arrayPtr(reinterpret_cast<const capnp::word*>(written.begin()), written.size() / sizeof(capnp::word)));
    return use(message.getRoot<Root>());
  }

 private:
  bool packed, reuse;
  kj::Array<kj::byte> buffer;
  kj::Array<capnp::word> words;
  kj::ArrayPtr<const kj::byte> written;
};

template <typename Case>
int64_t answerBytes(const typename Case::Content& content, Workplace& client, Workplace& server, Bytes& there,
                    Bytes& back) {
  auto& request = client.begin();
  Case::request(content, request.template initRoot<typename Case::Request>());
  there.write(request);
  there.read<typename Case::Request>([&](typename Case::Request::Reader question) {
    auto& response = server.begin();
    Case::respond(question, response.template initRoot<typename Case::Response>());
    back.write(response);
  });
  return back.read<typename Case::Response>(Case::check);
}

// One end of a pair of pipes.
class End {
 public:
  End(int source, int sink, bool packed) : packed(packed), source(source), sink(sink), buffered(this->source) {}

  void send(capnp::MessageBuilder& message) {
    packed ? capnp::writePackedMessage(sink, message) : capnp::writeMessage(sink, message);
  }

  template <typename Root, typename Use>
  auto receive(Use use) {
    if (packed) {
      capnp::PackedMessageReader message(buffered);
      return use(message.getRoot<Root>());
    }
    capnp::InputStreamMessageReader message(buffered);
    return use(message.getRoot<Root>());
  }

  bool ended() { return buffered.tryGetReadBuffer().size() == 0; }

 private:
  bool packed;
  kj::FdInputStream source;
  kj::FdOutputStream sink;
  kj::BufferedInputStreamWrapper buffered;
};

template <typename Case>
[[noreturn]] void serve(End client, Workplace& workplace) {
  while (!client.ended()) {
    client.receive<typename Case::Request>([&](typename Case::Request::Reader question) {
      auto& response = workplace.begin();
      Case::respond(question, response.template initRoot<typename Case::Response>());
      client.send(response);
    });
  }
  _exit(0);
}

template <typename Case>
int64_t answerPiped(const typename Case::Content& content, Workplace& client, End& server) {
  auto& request = client.begin();
  Case::request(content, request.template initRoot<typename Case::Request>());
  server.send(request);
  return server.receive<typename Case::Response>(Case::check);
}
