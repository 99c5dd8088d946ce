// Résumés in five layouts, with what they say.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import { flow, paper } from "./paper.ts";

export interface ResumeTruth {
  name: string;
  email: string;
  phone: string;
  summary: string;
  skills: string[];
  languages: string[];
  experience: { position: string; company: string; start_date: string; end_date: string; description: string }[];
  education: { institution: string; degree: string; end_date: string }[];
}

export const resumeSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name of the person" },
    email: { type: "string", format: "email" },
    phone: { type: "string", format: "phone" },
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
          start_date: { type: "string" },
          end_date: { type: "string" },
          description: { type: "string" },
        },
      },
    },
    education: {
      type: "array",
      items: {
        type: "object",
        properties: { institution: { type: "string" }, degree: { type: "string" }, end_date: { type: "string" } },
      },
    },
  },
};

const ada: ResumeTruth = {
  name: "Ada Whitfield",
  email: "ada.whitfield@mail.example",
  phone: "+44 20 7946 0958",
  summary: "Software engineer with ten years of experience in payment systems.",
  skills: ["TypeScript", "PostgreSQL", "Kubernetes", "Go"],
  languages: ["English", "German"],
  experience: [
    {
      position: "Senior Software Engineer",
      company: "Ledgerline Ltd",
      start_date: "March 2019",
      end_date: "Present",
      description: "Led the migration of the card ledger.\nCut settlement time by half.",
    },
    {
      position: "Developer",
      company: "Brightwater Systems",
      start_date: "June 2014",
      end_date: "February 2019",
      description: "Built the reporting service.",
    },
  ],
  education: [{ institution: "University of Leeds", degree: "BSc Computer Science", end_date: "2014" }],
};

const jonas: ResumeTruth = {
  name: "Jonas Brandt",
  email: "jonas.brandt@post.example",
  phone: "+49 171 5550199",
  summary: "Projektleiter mit Schwerpunkt Anlagenbau und Inbetriebnahme.",
  skills: ["AutoCAD", "SAP", "MS Project"],
  languages: ["Deutsch", "Englisch", "Polnisch"],
  experience: [
    {
      position: "Projektleiter",
      company: "Rhein Anlagenbau GmbH",
      start_date: "04/2018",
      end_date: "heute",
      description: "Leitung von acht Bauprojekten.",
    },
    {
      position: "Ingenieur",
      company: "Nordwerk AG",
      start_date: "09/2012",
      end_date: "03/2018",
      description: "Planung von Rohrleitungen.",
    },
  ],
  education: [{ institution: "Technische Universität Dresden", degree: "Diplom Maschinenbau", end_date: "2012" }],
};

function web(truth: ResumeTruth): NumberedDocument {
  const page = flow()
    .heading(1, truth.name)
    .text(`${truth.email} | ${truth.phone}`)
    .heading(2, "Summary")
    .text(truth.summary)
    .heading(2, "Experience");
  for (const job of truth.experience)
    page
      .heading(3, `${job.position}, ${job.company}`)
      .text(`${job.start_date} – ${job.end_date}`)
      .items(...job.description.split("\n"));
  page.heading(2, "Education");
  for (const school of truth.education) page.text(`${school.degree}, ${school.institution}, ${school.end_date}`);
  return page
    .heading(2, "Skills")
    .text(truth.skills.join(", "))
    .heading(2, "Languages")
    .items(...truth.languages)
    .done();
}

function printed(truth: ResumeTruth): NumberedDocument {
  const page = paper().put(50, 40, truth.name, 22).put(50, 70, `${truth.email}  ·  ${truth.phone}`);
  let y = 100;
  const section = (title: string): void => {
    page.put(50, y, title, 12);
    y += 22;
  };
  section("PROFILE");
  page.put(50, y, truth.summary);
  y += 30;
  section("WORK EXPERIENCE");
  for (const job of truth.experience) {
    page.put(50, y, job.position).put(400, y, `${job.start_date} - ${job.end_date}`);
    page.put(50, y + 15, job.company);
    y += 30;
    for (const line of job.description.split("\n")) {
      page.put(60, y, `• ${line}`);
      y += 15;
    }
    y += 8;
  }
  section("EDUCATION");
  for (const school of truth.education) {
    page
      .put(50, y, school.degree)
      .put(400, y, school.end_date)
      .put(50, y + 15, school.institution);
    y += 40;
  }
  section("SKILLS");
  page.put(50, y, truth.skills.join(" • "));
  y += 30;
  section("LANGUAGES");
  return page.put(50, y, truth.languages.join(", ")).done();
}

function lebenslauf(truth: ResumeTruth): NumberedDocument {
  const page = flow()
    .title(truth.name)
    .text(`E-Mail: ${truth.email}`, `Telefon: ${truth.phone}`)
    .heading(2, "Profil")
    .text(truth.summary)
    .heading(2, "Berufserfahrung");
  for (const job of truth.experience)
    page.text(`${job.start_date} – ${job.end_date}`, job.position, job.company).items(...job.description.split("\n"));
  page.heading(2, "Ausbildung");
  for (const school of truth.education) page.text(school.end_date, `${school.degree}, ${school.institution}`);
  return page
    .heading(2, "Kenntnisse")
    .items(...truth.skills)
    .heading(2, "Sprachen")
    .text(truth.languages.join(", "))
    .done();
}

function compact(truth: ResumeTruth): NumberedDocument {
  const page = paper()
    .put(50, 40, truth.name, 18)
    .lines(50, 64, [`Email: ${truth.email}`, `Phone: ${truth.phone}`]);
  let y = 110;
  const section = (title: string): void => {
    page.put(50, y, title, 13);
    y += 20;
  };
  section("About me");
  page.put(50, y, truth.summary);
  y += 26;
  section("Employment history");
  for (const job of truth.experience) {
    page.put(50, y, `${job.position} | ${job.company} | ${job.start_date} – ${job.end_date}`);
    y += 15;
    for (const line of job.description.split("\n")) {
      page.put(62, y, `- ${line}`);
      y += 15;
    }
  }
  y += 10;
  section("Education");
  for (const school of truth.education) {
    page.put(50, y, `${school.institution} | ${school.degree} | ${school.end_date}`);
    y += 24;
  }
  page.put(50, y, `Skills: ${truth.skills.join(", ")}`).put(50, y + 15, `Languages: ${truth.languages.join(", ")}`);
  return page.done();
}

function word(truth: ResumeTruth): NumberedDocument {
  const page = flow()
    .text(truth.name, `${truth.phone}, ${truth.email}`)
    .text("OBJECTIVE", truth.summary, "PROFESSIONAL EXPERIENCE");
  for (const job of truth.experience)
    page
      .text(`${job.company} — ${job.position} (${job.start_date} to ${job.end_date})`)
      .items(...job.description.split("\n"));
  page.text("EDUCATION");
  for (const school of truth.education) page.text(`${school.institution} — ${school.degree} (${school.end_date})`);
  return page
    .text("SKILLS")
    .items(...truth.skills)
    .text("LANGUAGES")
    .items(...truth.languages)
    .done();
}

export const resumes: { name: string; truth: ResumeTruth; document: NumberedDocument }[] = [
  { name: "web", truth: ada, document: web(ada) },
  { name: "printed", truth: ada, document: printed(ada) },
  { name: "lebenslauf", truth: jonas, document: lebenslauf(jonas) },
  { name: "compact", truth: ada, document: compact(ada) },
  { name: "word", truth: ada, document: word(ada) },
];
