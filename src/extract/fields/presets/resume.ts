// What a résumé (CV) says.

export const resume = {
  type: "object",
  description: "A résumé or curriculum vitae",
  properties: {
    name: { type: "string", description: "Name of the person" },
    headline: { type: "string", description: "Job title or headline under the name" },
    email: { type: "string", format: "email" },
    phone: { type: "string", format: "phone" },
    website: { type: "string", format: "uri" },
    address: { type: "string" },
    summary: { type: "string" },
    skills: { type: "array", items: { type: "string" } },
    languages: { type: "array", items: { type: "string" } },
    experience: {
      type: "array",
      items: {
        type: "object",
        properties: {
          position: { type: "string" },
          company: { type: "string" },
          start_date: { type: "string", description: "When it began, as written" },
          end_date: { type: "string", description: "When it ended, as written" },
          description: { type: "string" },
        },
      },
    },
    education: {
      type: "array",
      items: {
        type: "object",
        properties: {
          institution: { type: "string" },
          degree: { type: "string" },
          start_date: { type: "string", description: "When it began, as written" },
          end_date: { type: "string", description: "When it ended, as written" },
        },
      },
    },
  },
};
