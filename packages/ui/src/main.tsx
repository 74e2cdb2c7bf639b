import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { firstLanguage, loadMessages } from "./i18n/language.tsx";
import { startSession } from "./session/token.ts";
import "./styles/index.css";

startSession();

const language = firstLanguage();
const root = document.getElementById("page");
if (root === null) throw new Error("index.html has no #page");
createRoot(root).render(
  <StrictMode>
    <App first={{ language, messages: await loadMessages(language) }} />
  </StrictMode>,
);
