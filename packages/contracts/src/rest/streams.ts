import { z } from "zod";

/** `POST /api/v1/streams/moves`: asks agents to connect anew, which evens out several hubs behind one address. */
export const StreamMoveRequest = z.object({
  /** Id or name of a cluster; default: all of them. */
  cluster: z.string().optional(),
  /** They come back spread over this time. */
  withinSeconds: z.number().int().min(1).max(3600).default(60),
});

/** Streams that were asked to. */
export const StreamMoveAnswer = z.object({ control: z.number().int(), ingest: z.number().int() });
