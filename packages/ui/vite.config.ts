import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";

/** Where `npm run dev` finds a hub: the fixture server, or a real one by PLIMSOLL_HUB. */
const hub = process.env.PLIMSOLL_HUB ?? "http://127.0.0.1:8090";

const settings: UserConfig = {
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2023",
    // light-dark() as it is: these are the first that know it.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1", proxy: { "/api": hub } },
};

// A build is for people, also when a test that runs with another NODE_ENV asks for it.
export default defineConfig(({ command }) => {
  if (command === "build") process.env.NODE_ENV = "production";
  return settings;
});
