import http from 'node:http'
import { serveLocally } from '../web/local-server.ts'

/** The lower bound for any list: a page without libraries or styles that shows the same 50 rows. */
const html = `<!doctype html><meta charset="utf-8"><title>Bare</title><input type="search"><table><tbody></tbody></table><script src="/list.js"></script>`
const script = `const shown = ['firstName', 'lastName', 'email', 'phone', 'city', 'status', 'nextFollowUpDate', 'lastContactDate']
fetch('/api/contacts').then((response) => response.json()).then(({ data }) => {
  const body = document.querySelector('tbody')
  for (const contact of data) {
    const row = body.insertRow()
    row.dataset.row = contact.id
    for (const field of shown) row.insertCell().textContent = contact[field] ?? ''
  }
})`

/** Serves the minimal page and forwards its API request, with the cookie, to our server. */
export async function serveBarePage(apiUrl: string): Promise<{ url: string; stop: () => void }> {
  const agent = new http.Agent({ keepAlive: true })
  const { url, stop } = await serveLocally((request, response) => {
    if (request.url === '/list.js') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    if (!request.url!.startsWith('/api/')) return void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    const onward = http.request(apiUrl + request.url!, { agent, headers: { cookie: request.headers.cookie ?? '' } }, (answer) => {
      response.writeHead(answer.statusCode!, { 'content-type': 'application/json' })
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    onward.end()
  })
  return {
    url,
    stop() {
      stop()
      agent.destroy()
    },
  }
}
