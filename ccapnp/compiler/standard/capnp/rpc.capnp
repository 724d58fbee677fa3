@0xb312981b2552a250;
# The messages of the RPC protocol.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp::rpc");

struct Message {
  # One message between two vats.

  union {
    unimplemented @0 :Message;
    abort @1 :Exception;
    bootstrap @8 :Bootstrap;
    call @2 :Call;
    return @3 :Return;
    finish @4 :Finish;
    resolve @5 :Resolve;
    release @6 :Release;
    disembargo @13 :Disembargo;
    obsoleteSave @7 :AnyPointer;
    obsoleteDelete @9 :AnyPointer;
    provide @10 :Provide;
    accept @11 :Accept;
    join @12 :Join;
  }
}

struct Bootstrap {
  # Asks for the interface that a vat offers to whoever connects.

  questionId @0 :UInt32;
  deprecatedObjectId @1 :AnyPointer;
}

struct Call {
  # Calls a method; the answer is a `Return`.

  questionId @0 :UInt32;
  target @1 :MessageTarget;
  interfaceId @2 :UInt64;
  methodId @3 :UInt16;
  allowThirdPartyTailCall @8 :Bool = false;
  noPromisePipelining @9 :Bool = false;
  onlyPromisePipeline @10 :Bool = false;
  params @4 :Payload;
  sendResultsTo :group {
    union {
      caller @5 :Void;
      yourself @6 :Void;
      thirdParty @7 :AnyPointer;
    }
  }
}

struct Return {
  # Answers a question.

  answerId @0 :UInt32;
  releaseParamCaps @1 :Bool = true;
  noFinishNeeded @8 :Bool = false;
  union {
    results @2 :Payload;
    exception @3 :Exception;
    canceled @4 :Void;
    resultsSentElsewhere @5 :Void;
    takeFromOtherQuestion @6 :UInt32;
    acceptFromThirdParty @7 :AnyPointer;
  }
}

struct Finish {
  # Says that an answer is no longer needed.

  questionId @0 :UInt32;
  releaseResultCaps @1 :Bool = true;
  requireEarlyCancellationWorkaround @2 :Bool = true;
}

struct Resolve {
  # Says what became of a promise that was exported.

  promiseId @0 :UInt32;
  union {
    cap @1 :CapDescriptor;
    exception @2 :Exception;
  }
}

struct Release {
  # Drops references to an exported capability.

  id @0 :UInt32;
  referenceCount @1 :UInt32;
}

struct Disembargo {
  # Makes a round trip, so that later calls do not overtake those sent before a promise resolved.

  target @0 :MessageTarget;
  context :group {
    union {
      senderLoopback @1 :UInt32;
      receiverLoopback @2 :UInt32;
      accept @3 :Void;
      provide @4 :UInt32;
    }
  }
}

struct Provide {
  # Offers a capability to a third vat.

  questionId @0 :UInt32;
  target @1 :MessageTarget;
  recipient @2 :AnyPointer;
}

struct Accept {
  # Takes what another vat provided.

  questionId @0 :UInt32;
  provision @1 :AnyPointer;
  embargo @2 :Bool;
}

struct Join {
  # Asks whether several capabilities are one.

  questionId @0 :UInt32;
  target @1 :MessageTarget;
  keyPart @2 :AnyPointer;
}

struct MessageTarget {
  # What a call is made on.

  union {
    importedCap @0 :UInt32;
    promisedAnswer @1 :PromisedAnswer;
  }
}

struct Payload {
  # Parameters or results: a struct, and the capabilities in it.

  content @0 :AnyPointer;
  capTable @1 :List(CapDescriptor);
}

struct CapDescriptor {
  # What one capability in a payload is.

  union {
    none @0 :Void;
    senderHosted @1 :UInt32;
    senderPromise @2 :UInt32;
    receiverHosted @3 :UInt32;
    receiverAnswer @4 :PromisedAnswer;
    thirdPartyHosted @5 :ThirdPartyCapDescriptor;
  }
  attachedFd @6 :UInt8 = 255;
}

struct PromisedAnswer {
  # A capability within an answer that has not arrived yet.

  questionId @0 :UInt32;
  transform @1 :List(Op);

  struct Op {
    union {
      noop @0 :Void;
      getPointerField @1 :UInt16;
    }
  }
}

struct ThirdPartyCapDescriptor {
  # A capability that a third vat hosts, with a stand-in until it has been reached.

  id @0 :AnyPointer;
  vineId @1 :UInt32;
}

struct Exception {
  # Why a call failed, or a connection ends.

  reason @0 :Text;
  type @3 :Type;
  obsoleteIsCallersFault @1 :Bool;
  obsoleteDurability @2 :UInt16;
  trace @4 :Text;

  enum Type {
    failed @0;
    overloaded @1;
    disconnected @2;
    unimplemented @3;
  }
}
