/** An object as it goes out as JSON. Undefined fields do not go out. */
export type KubeJson = Readonly<Record<string, unknown>>;
