import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { overviewQuery } from "../api/queries.ts";
import { useSpeech } from "../i18n/language.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";
import { Tools } from "./tools.tsx";
import { useRouteFocus } from "./use-route-focus.ts";
import { useShortcuts } from "./use-shortcuts.ts";

/** What stands around every view: navigation, tools, notices, keys. */
export function Shell() {
  const { t } = useSpeech();
  const help = useRef<HTMLDialogElement>(null);
  const openHelp = useCallback(() => help.current?.showModal(), []);
  useShortcuts(openHelp);
  useRouteFocus();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.app.skip}
      </a>
      <div className="rail">
        <div className="rail-inner">
          <Navigation />
          <Tools onHelp={openHelp} />
        </div>
      </div>
      <main id="content" tabIndex={-1}>
        <SimulatedBanner />
        <Outlet />
      </main>
      <KeyboardHelp ref={help} />
    </div>
  );
}

function SimulatedBanner() {
  const { t } = useSpeech();
  const { data } = useQuery(overviewQuery());
  if (!data?.body.simulated) return null;
  return (
    <p className="simulated" role="note">
      <b>{t.app.simulated}</b> <span>{t.app.simulatedHint}</span>
    </p>
  );
}
