/** The URLs to which the Postmark simulator posts inbound emails and delivery events. */
export function hooksAt(url: string, password: string): { inbound: string; events: string } {
  const hooks = `${url.replace('://', `://postmark:${encodeURIComponent(password)}@`)}/api/hooks/postmark`
  return { inbound: `${hooks}/inbound`, events: `${hooks}/events` }
}
