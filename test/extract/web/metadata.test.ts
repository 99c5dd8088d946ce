import { describe, expect, test } from "vitest";
import { parseDom } from "../../../src/extract/web/dom.ts";
import { readMetadata } from "../../../src/extract/web/metadata.ts";

const about = (html: string, url: string | null = null) => readMetadata(parseDom(html), url);

describe("linked data", () => {
  test("tells headline, authors, dates, image, publisher", () => {
    const data = {
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "Person", "@id": "#ann", name: "Ann Lee" },
        {
          "@type": "NewsArticle",
          headline: "Rain at last",
          author: [{ "@id": "#ann" }, { "@type": "Person", name: "Bo Kim" }],
          datePublished: "2024-05-06T07:08:09Z",
          dateModified: "2024-05-07",
          image: { url: "/rain.jpg" },
          publisher: { name: "The Weather" },
          inLanguage: "en",
        },
      ],
    };
    const page = about(
      `<script type="application/ld+json">${JSON.stringify(data)}</script><p>x`,
      "https://a.example/news/1",
    );
    expect(page).toMatchObject({
      title: "Rain at last",
      authors: ["Ann Lee", "Bo Kim"],
      language: "en",
      published_at: "2024-05-06T07:08:09Z",
    });
    expect(page.metadata).toMatchObject({
      site: "The Weather",
      modified_at: "2024-05-07",
      image: "https://a.example/rain.jpg",
      type: "NewsArticle",
    });
  });

  test("slightly broken data is mended, hopeless data left out", () => {
    expect(
      about('<script type="application/ld+json">/*<![CDATA[*/{"@type":"Article","headline":"A\nB",}/*]]>*/</script>')
        .title,
    ).toBe("A B");
    expect(about('<title>T</title><script type="application/ld+json">{{{</script>').title).toBe("T");
  });
});

describe("meta tags", () => {
  test("OpenGraph and friends", () => {
    const page =
      about(`<html lang="pt-BR"><meta property="og:title" content="Chuva"><meta property="og:site_name" content="Tempo">
      <meta property="article:published_time" content="2020-01-02T03:04:05-03:00"><meta name="author" content="By Ana Souza and Rui Dias">
      <meta name="description" content="Choveu."><meta property="og:image" content="https://b.example/i.png"><link rel="canonical" href="https://b.example/chuva">
      <meta name="keywords" content="chuva, tempo"><body>x`);
    expect(page).toMatchObject({
      title: "Chuva",
      authors: ["Ana Souza", "Rui Dias"],
      language: "pt-BR",
      published_at: "2020-01-02T03:04:05-03:00",
      baseUrl: "https://b.example/chuva",
    });
    expect(page.metadata).toEqual({
      description: "Choveu.",
      site: "Tempo",
      url: "https://b.example/chuva",
      image: "https://b.example/i.png",
      keywords: ["chuva", "tempo"],
    });
  });

  test("addresses and handles are no authors", () => {
    expect(
      about('<meta property="article:author" content="https://facebook.com/x"><meta name="author" content="a@b.c">')
        .authors,
    ).toEqual([]);
  });
});

describe("markup", () => {
  test("microdata, time and byline", () => {
    const page = about(
      '<h1>T</h1><span itemprop="author"><span itemprop="name">Cy Young</span></span><time datetime="2021-02-03">yesterday</time>',
    );
    expect(page).toMatchObject({ authors: ["Cy Young"], published_at: "2021-02-03" });
    expect(
      about('<div class="article-byline">By Mary Ann Evans</div><div class="post-date">4 May 2022</div>'),
    ).toMatchObject({ authors: ["Mary Ann Evans"], published_at: "2022-05-04" });
  });

  test("the title is the heading that the page's own words agree with, without the site's name", () => {
    expect(about("<title>Big news today | The Site</title><h1>The Site</h1><h1>Big news today</h1>").title).toBe(
      "Big news today",
    );
    expect(about('<meta property="og:site_name" content="The Site"><title>The story - The Site</title>').title).toBe(
      "The story",
    );
    expect(about("<h1>Only this</h1>").title).toBe("Only this");
    expect(about("<p>nothing").title).toBe(null);
  });
});
