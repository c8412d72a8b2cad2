/** The product's type (ui/tokens.css), in mail and in its preview: where it is not installed, the reader's own sans-serif. */
export const mailFont = "'Hanken Grotesk Variable', 'Hanken Grotesk', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', sans-serif"

/** A picture's address on someone else's server, which is not loaded until someone asks for it. */
export const remoteImage = 'data-remote-src'

/** What the frame of a mail may do: open a link beside the app. Above all no scripts, and no origin of ours. */
export const mailSandbox = 'allow-popups allow-popups-to-escape-sandbox'

/** What the document of a mail may load: nothing but what it carries itself, and pictures when someone has asked for them. */
const mailPolicy = ({ showRemote }: { showRemote: boolean }): string =>
  `default-src 'none'; img-src data: cid:${showRemote ? ' https:' : ''}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`

/** The headers of an answer that is such a document, which our own pages alone may frame. */
export const mailFrameHeaders = (shows: { showRemote: boolean }): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `sandbox ${mailSandbox}; ${mailPolicy(shows)}; frame-ancestors 'self'`,
})

/**
 * The document of the frame that shows a mail. Whatever the mail's own colours are, it lies on a white page of its own, as its
 * writer saw it, in the dark theme too.
 * @param html what sanitiseMail made.
 * @param showRemote whether pictures are loaded from other people's servers, which then know that the mail is read.
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
