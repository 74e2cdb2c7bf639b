import { useSpeech } from "../i18n/language.tsx";
import { Icon } from "../parts/icon.tsx";
import { signOut } from "../session/token.ts";
import { type Theme, useTheme } from "../theme/theme.ts";

/** Language, theme, keys, sign-out. */
export function Tools({ onHelp }: { readonly onHelp: () => void }) {
  const { t } = useSpeech();
  return (
    <div className="tools">
      <LanguageSwitch />
      <ThemeSwitch />
      <button type="button" className="tool" onClick={onHelp} aria-label={t.app.keys} title={`${t.app.keys} (?)`}>
        <Icon name="keys" />
      </button>
      <button type="button" className="tool" onClick={() => signOut()} aria-label={t.app.signOut} title={t.app.signOut}>
        <Icon name="leave" />
      </button>
    </div>
  );
}

/** Goes to the other language; its own name says which. */
export function LanguageSwitch() {
  const { t, language, switchLanguage } = useSpeech();
  const other = language === "en" ? "zh-CN" : "en";
  return (
    <button
      type="button"
      className="tool"
      lang={other}
      title={t.app.languageHint}
      onClick={() => switchLanguage(other)}
    >
      {t.app.language}
    </button>
  );
}

/** Goes on to the next theme: the system's, light, dark. */
export function ThemeSwitch() {
  const { t } = useSpeech();
  const { theme, next } = useTheme();
  const names: Readonly<Record<Theme, string>> = {
    system: t.app.themeSystem,
    light: t.app.themeLight,
    dark: t.app.themeDark,
  };
  return (
    <button type="button" className="tool" onClick={next} aria-label={names[theme]} title={names[theme]}>
      <Icon name={theme} />
    </button>
  );
}
