/** Where the simulator of Postmark posts what arrives and what becomes of mails. */
export function hooksAt(url: string, password: string): { inbound: string; events: string } {
  const hooks = `${url.replace('://', `://postmark:${encodeURIComponent(password)}@`)}/api/hooks/postmark`
  return { inbound: `${hooks}/inbound`, events: `${hooks}/events` }
}
