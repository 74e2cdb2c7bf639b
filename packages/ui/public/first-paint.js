// Before the first paint, so that a chosen theme does not flash: see src/theme/theme.ts.
try {
  const chosen = localStorage.getItem("plimsoll.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing follows the system.
}
