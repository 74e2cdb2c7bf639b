import { ServerCredentials } from "@grpc/grpc-js";

/** Certificates of the port, PEM. */
export interface PortCertificates {
  readonly certificate: string;
  readonly key: string;
  /** Whose client certificates are accepted. */
  readonly clientAuthority: string;
}

/** Mutual TLS, 1.3 at least. The library's own credentials have no option for the version, and would take 1.2. */
export class MutualTls13 extends ServerCredentials {
  readonly #certificates: PortCertificates;

  constructor(certificates: PortCertificates) {
    const context = {
      ca: certificates.clientAuthority,
      cert: certificates.certificate,
      key: certificates.key,
      minVersion: "TLSv1.3",
    } as const;
    super({ requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" }, context);
    this.#certificates = certificates;
  }

  override _equals(other: ServerCredentials): boolean {
    return other instanceof MutualTls13 && other.#certificates === this.#certificates;
  }
}
