import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a hub: the fixture server, or a real one by PLIMSOLL_HUB. */
const hub = process.env.PLIMSOLL_HUB ?? "http://127.0.0.1:8090";

export default defineConfig({
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
});
