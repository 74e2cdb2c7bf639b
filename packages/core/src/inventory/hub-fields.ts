/** Fields of the record that only a hub, an agent or a CMDB knows: null in a scan. */
export const HUB_FIELDS = {
  incarnation: null,
  agent_version: null,
  connectivity: null,
  credential_expires_at: null,
  resource_version: null,
  received_at: null,
  tenant_id: null,
  business_unit: null,
  project: null,
} as const;
