// What an article, post or paper says about itself.

export const article = {
  type: "object",
  description: "An article, blog post, news story or paper",
  properties: {
    title: { type: "string" },
    subtitle: { type: "string" },
    authors: { type: "array", items: { type: "string" } },
    published_at: { type: "string", format: "date" },
    abstract: { type: "string", description: "Abstract or summary" },
    keywords: { type: "array", items: { type: "string" } },
    sections: { type: "array", items: { type: "string" }, description: "Headings of the article" },
    doi: { type: "string" },
  },
};
