/**
 * The X.509 library with what it needs loaded before it. Its classes find each other through metadata, for which the runtime
 * has no support of its own.
 */
import "reflect-metadata";

export {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  DNS,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  IP,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  type PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  URL as UriName,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
