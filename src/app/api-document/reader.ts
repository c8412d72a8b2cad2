import { apiDocument, once } from './document.ts'
import { operationsOf } from './types.ts'

const escape = (value: string) => value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const json = (value: unknown) =>
  `<pre>${escape(JSON.stringify(value, null, 2)).replace(/&#34;#\/components\/(\w+)\/(\w+)&#34;/g, '<a href="#$1-$2">$2</a>')}</pre>`
const block = (title: string, value: unknown) => (value ? `<details><summary>${title}</summary>${json(value)}</details>` : '')
/** Paragraphs of Markdown with bold text and code. */
const prose = (text = '') =>
  text
    .split('\n\n')
    .map(
      (part) =>
        `<p>${escape(part)
          .replace(/`([^`]+)`/g, '<code>$1</code>')
          .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')}</p>`,
    )
    .join('')
const anchor = (tag: string) => tag.replace(/\W+/g, '-').toLowerCase()

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}h2{margin-top:2.5rem}article{border-top:1px solid;padding:.75rem 0}
code{font-weight:600;overflow-wrap:anywhere}pre{overflow:auto;font-size:13px}summary{cursor:pointer}nav a{margin-right:1rem}p{margin:.25rem 0}:root{color-scheme:light dark}`

/** The document as a page that needs no script and nothing from outside. */
export const apiReader = once(async (appUrl) => {
  const document = await apiDocument(appUrl)
  const { info, tags, components } = document
  const byTag = new Map<string, string[]>(tags.map(({ name }) => [name, []]))
  for (const { path, method, operation } of operationsOf(document)) {
    const details = block('Parameters', operation.parameters) + block('Body', operation.requestBody) + block('Answers', operation.responses)
    const article = `<article id="${operation.operationId}"><code>${method.toUpperCase()} /api${escape(path)}</code><p>${escape(operation.summary)}</p>${prose(operation.description)}${details}</article>`
    byTag.get(operation.tags[0] ?? '')?.push(article)
  }
  const sections = [...byTag].map(([tag, articles]) => `<h2 id="${anchor(tag)}">${escape(tag)}</h2>${articles.join('')}`)
  const links = tags.map(({ name }) => `<a href="#${anchor(name)}">${escape(name)}</a>`)
  const parts = (['parameters', 'responses', 'schemas'] as const).map(
    (kind) =>
      `<h2>Shared ${kind}</h2>${Object.entries(components[kind])
        .map(([name, value]) => `<article id="${kind}-${name}"><code>${name}</code>${json(value)}</article>`)
        .join('')}`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${info.title} API</title><style>${style}</style>
<h1>${info.title} API ${info.version}</h1>${prose(info.description)}<p>The same as data: <a href="/api/openapi.json">openapi.json</a></p><nav>${links.join(' ')}</nav>${sections.join('')}${parts.join('')}</html>`
})
