// CatRank: see bench/cases/catrank.py.

#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "catrank.capnp.h"
#include "generator.h"

namespace catrank {

struct Drawn {
  std::string url;
  double score;
  std::string snippet;
};

struct Scored {
  double score;
  SearchResult::Reader result;
};

struct Case {
  using Request = SearchResultList;
  using Response = SearchResultList;
  using Content = std::vector<Drawn>;

  static Content draw(Generator& random) {
    Content results(random.below(1000));
    for (size_t i = 0; i < results.size(); i++) {
      auto& result = results[i];
      result.score = 1000.0 - i;
      result.url = "http://example.com/";
      for (unsigned letters = random.below(100); letters > 0; letters--) result.url += char('a' + random.below(26));
      bool isCat = random.below(8) == 0, isDog = random.below(8) == 0;
      result.snippet = " ";
      drawWords(random, result.snippet);
      if (isCat) result.snippet += "cat ";
      if (isDog) result.snippet += "dog ";
      drawWords(random, result.snippet);
    }
    return results;
  }

  static void drawWords(Generator& random, std::string& text) {
    static const char* const words[] = {"foo ",    "bar ",   "baz ",  "qux ",   "quux ",  "corge ", "grault ",
                                        "garply ", "waldo ", "fred ", "plugh ", "xyzzy ", "thud "};
    for (unsigned count = random.below(20); count > 0; count--) text += words[random.below(13)];
  }

  static void request(const Content& content, SearchResultList::Builder message) {
    auto results = message.initResults(content.size());
    for (unsigned i = 0; i < content.size(); i++) {
      auto result = results[i];
      result.setUrl(text(content[i].url));
      result.setScore(content[i].score);
      result.setSnippet(text(content[i].snippet));
    }
  }

  static capnp::Text::Reader text(const std::string& value) { return {value.c_str(), value.size()}; }

  static void respond(SearchResultList::Reader request, SearchResultList::Builder response) {
    std::vector<Scored> ranked;
    ranked.reserve(request.getResults().size());
    for (auto result : request.getResults()) {
      double score = result.getScore();
      auto snippet = result.getSnippet();
      if (strstr(snippet.cStr(), " cat ")) score *= 10000;
      if (strstr(snippet.cStr(), " dog ")) score /= 10000;
      ranked.push_back({score, result});
    }
    std::sort(ranked.begin(), ranked.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    auto results = response.initResults(ranked.size());
    for (unsigned i = 0; i < ranked.size(); i++) {
      auto result = results[i];
      result.setScore(ranked[i].score);
      result.setUrl(ranked[i].result.getUrl());
      result.setSnippet(ranked[i].result.getSnippet());
    }
  }

  static int64_t check(SearchResultList::Reader response) {
    int64_t cats = 0;
    for (auto result : response.getResults()) {
      if (result.getScore() <= 1001) break;
      cats++;
    }
    return cats;
  }
};

}  // namespace catrank
