import "../api/schemas-without-eval.ts";
import { Overview } from "@plimsoll/contracts/rest";
import { type FormEvent, useState } from "react";
import { ApiProblem } from "../api/api-problem.ts";
import { getJson } from "../api/get-json.ts";
import { LanguageSwitch, ThemeSwitch } from "../app/tools.tsx";
import { useSpeech } from "../i18n/language.tsx";
import { Command } from "../parts/command.tsx";
import { Mark } from "../parts/icon.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { signIn, useSession } from "./token.ts";

/** What prints a sign-in link at a hub's first start, and the token later. */
const LINK_COMMAND = "plimsoll hub";
const TOKEN_COMMAND = "cat DATA-DIR/admin-token";

/** Asks for the token, and tries it before it is kept. */
export function SignIn() {
  const { t } = useSpeech();
  const { expired } = useSession();
  const [token, setToken] = useState("");
  const [checking, setChecking] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const refused = problem instanceof ApiProblem && problem.status === 401;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecking(true);
    setProblem(null);
    try {
      await getJson(Overview, "/api/v1/overview", { token: token.trim() });
      signIn(token.trim());
    } catch (thrown) {
      setProblem(thrown);
      setChecking(false);
    }
  };

  return (
    <main className="sign-in">
      <div className="sign-in-tools">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <div className="sign-in-card">
        <Mark />
        <h1>{t.signIn.title}</h1>
        {expired && <p className="notice">{t.signIn.expired}</p>}
        <p className="muted">{t.signIn.why}</p>
        <Command text={LINK_COMMAND} />
        <p className="muted">{t.signIn.later}</p>
        <Command text={TOKEN_COMMAND} />
        <form onSubmit={submit}>
          <label htmlFor="token">{t.signIn.token}</label>
          <input
            id="token"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
            aria-invalid={refused}
            aria-describedby={refused ? "token-refused" : "token-kept"}
          />
          {refused && (
            <p id="token-refused" className="field-problem" role="alert">
              {t.signIn.refused}
            </p>
          )}
          <button type="submit" className="primary" disabled={checking}>
            {checking ? t.signIn.checking : t.signIn.submit}
          </button>
          <p id="token-kept" className="muted small">
            {t.signIn.kept}
          </p>
        </form>
        {problem !== null && !refused && <ProblemCard problem={problem} />}
      </div>
    </main>
  );
}
