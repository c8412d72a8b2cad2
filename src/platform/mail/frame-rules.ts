/** Font stack of the product (ui/tokens.css) for emails and their preview: falls back to the reader's sans-serif. */
export const mailFont = "'Hanken Grotesk Variable', 'Hanken Grotesk', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', sans-serif"

/** A remote image address, not loaded until the user asks. */
export const remoteImage = 'data-remote-src'

/** Permissions of an email frame: opening links in new tabs. No scripts, and not our origin. */
export const mailSandbox = 'allow-popups allow-popups-to-escape-sandbox'

/** What an email document may load: its own content, and remote images if requested. */
const mailPolicy = ({ showRemote }: { showRemote: boolean }): string =>
  `default-src 'none'; img-src data: cid:${showRemote ? ' https:' : ''}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`

/** Response headers of such a document, which only our own pages may frame. */
export const mailFrameHeaders = (shows: { showRemote: boolean }): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `sandbox ${mailSandbox}; ${mailPolicy(shows)}; frame-ancestors 'self'`,
})

/**
 * Builds the document of an email frame. It has a white page regardless of the email's colours and the theme, as its author saw it.
 * @param html output of sanitiseMail
 * @param showRemote whether remote images load, which reveals to their servers that the email is read
 */
export function documentFor(html: string, { showRemote }: { showRemote: boolean }): string {
  const body = showRemote ? html.replace(/<img [^<>]*>/g, (tag) => tag.replace(` ${remoteImage}="`, ' src="')) : html
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${mailPolicy({ showRemote })}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${style}</style>
</head>
<body>${body}</body>
</html>
`
}

const style = `
html { color-scheme: light; background: #fff; color: #1a1a1a; font: 15px/1.5 ${mailFont} }
body { margin: 12px; overflow-wrap: anywhere }
img { max-width: 100% }
img:not([src]) { outline: 1px dashed #b5b5b5; outline-offset: -1px; color: #5c5c5c; font-size: 12px }
table { max-width: 100% }
pre { white-space: pre-wrap }
blockquote { margin: 8px 0 8px 4px; padding-left: 12px; border-left: 2px solid #d0d0d0 }
a { color: #0b57d0 }
`
