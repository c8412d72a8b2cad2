/**
 * A small Stripe.js, with the calls that the product makes: Stripe(key), elements({ clientSecret }), create('payment'), mount, on, unmount,
 * confirmPayment and confirmSetup. The card is typed into a frame from the simulator's origin, as with Stripe, so that the page never sees it.
 */

/** Served as /v3/. */
export const stripeJs = `(() => {
const origin = new URL(document.currentScript.src).origin
let frames = 0
window.Stripe = (key) => {
  const confirm = (elements, confirmParams) => elements._ask({ type: 'confirm', key, params: confirmParams ?? {} })
  return {
    elements({ clientSecret, locale = 'en', appearance }) {
      let frame, listeners = {}, waiting = new Map(), asked = 0
      const id = 'stripe-frame-' + ++frames
      const heard = (event) => {
        if (event.origin !== origin || event.data?.frame !== id) return
        const { type, height, ask, result } = event.data
        if (type === 'size' && frame) frame.style.height = height + 'px'
        if (type === 'ready') (listeners.ready ?? []).forEach((call) => call({ elementType: 'payment' }))
        if (type === 'change') (listeners.change ?? []).forEach((call) => call({ elementType: 'payment', complete: event.data.complete }))
        if (type === 'result') { waiting.get(ask)?.(result); waiting.delete(ask) }
      }
      return {
        create() {
          return {
            mount(target) {
              const place = typeof target === 'string' ? document.querySelector(target) : target
              addEventListener('message', heard)
              frame = document.createElement('iframe')
              frame.title = locale.startsWith('fr') ? 'Cadre de saisie sécurisé pour le paiement' : 'Secure payment input frame'
              frame.style.cssText = 'border:0;width:100%;height:220px;display:block'
              const style = JSON.stringify(appearance?.variables ?? {})
              frame.src = origin + '/v3/frame?' + new URLSearchParams({ frame: id, secret: clientSecret, locale, style })
              place.replaceChildren(frame)
            },
            on(event, call) { (listeners[event] ??= []).push(call); return this },
            unmount() { frame?.remove() },
            destroy() { frame?.remove(); removeEventListener('message', heard) },
          }
        },
        submit: () => Promise.resolve({}),
        _ask: (message) => new Promise((resolve) => {
          waiting.set(++asked, resolve)
          frame.contentWindow.postMessage({ ...message, ask: asked }, origin)
        }),
      }
    },
    confirmPayment: ({ elements, confirmParams }) => confirm(elements, confirmParams),
    confirmSetup: ({ elements, confirmParams }) => confirm(elements, confirmParams),
  }
}
})()`

const texts = {
  en: {
    number: 'Card number',
    expiry: 'Expiration date',
    cvc: 'Security code',
    incomplete: 'Your card number is incomplete.',
    bank: 'Your bank wants to know that it’s you.',
    yes: 'Complete authentication',
    no: 'Fail authentication',
  },
  fr: {
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    cvc: 'Code de sécurité',
    incomplete: 'Votre numéro de carte est incomplet.',
    bank: 'Votre banque veut vérifier votre identité.',
    yes: 'Réussir l’authentification',
    no: 'Échouer l’authentification',
  },
} as const

/** The page in the frame. @param parameters of its address: frame, secret, locale and style. */
export function framePage(parameters: URLSearchParams): string {
  const language = parameters.get('locale')?.startsWith('fr') ? 'fr' : 'en'
  const t = texts[language]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${t.number}</title>
<style>
body { margin: 0; font: 16px/1.4 system-ui, sans-serif; color: #30313d }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 2px }
label { display: grid; gap: 4px; font-size: 14px } .wide { grid-column: 1 / -1 }
input { box-sizing: border-box; width: 100%; height: 44px; padding: 0 12px; font: inherit; font-size: 16px; border: 1px solid #c9ccd4; border-radius: 8px; background: var(--field, #fff); color: inherit }
input:focus { outline: 2px solid #475bb5; outline-offset: 1px }
button { min-height: 44px; font: inherit } [hidden] { display: none }
</style>
</head>
<body>
<form id="card">
<label class="wide">${t.number}<input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
<label>${t.expiry}<input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY"></label>
<label>${t.cvc}<input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"></label>
</form>
<form id="bank" hidden><p class="wide">${t.bank}</p><button value="true">${t.yes}</button><button value="false">${t.no}</button></form>
<script type="module">
const given = new URLSearchParams(location.search)
const frame = given.get('frame'), secret = given.get('secret')
const [card, bank] = [document.getElementById('card'), document.getElementById('bank')]
const style = JSON.parse(given.get('style') || '{}')
if (style.colorText) document.body.style.color = style.colorText
if (style.colorBackground) document.body.style.setProperty('--field', style.colorBackground)
const tell = (message) => parent.postMessage({ frame, ...message }, '*')
const intent = secret.split('_secret_')[0]
const kind = intent.startsWith('seti_') ? 'setup_intent' : 'payment_intent'
const api = '/v1/' + kind + 's/' + intent
const values = () => Object.fromEntries(new FormData(card))
const isComplete = ({ number, expiry, cvc }) => number.replace(/\\D/g, '').length >= 14 && /^\\s*\\d{1,2}\\s*\\/?\\s*\\d{2,4}\\s*$/.test(expiry) && cvc.length >= 3
async function post(path, fields, key) {
  const body = new URLSearchParams({ ...fields, key, client_secret: secret })
  const response = await fetch(path, { method: 'POST', body }).catch(() => null)
  if (!response) return { error: { type: 'api_connection_error', message: 'Stripe could not be reached.' } }
  const reply = await response.json()
  return response.ok ? { [kind === 'setup_intent' ? 'setupIntent' : 'paymentIntent']: reply } : { error: reply.error }
}
function authenticate(key) {
  card.hidden = true
  bank.hidden = false
  return new Promise((resolve) => {
    bank.onsubmit = async (event) => {
      event.preventDefault()
      const result = await post('/v3/authenticate', { intent, success: event.submitter.value }, key)
      card.hidden = false
      bank.hidden = true
      resolve(result)
    }
  })
}
async function confirm(key) {
  const typed = values()
  if (!isComplete(typed)) return { error: { type: 'validation_error', code: 'incomplete_number', message: ${JSON.stringify(t.incomplete)} } }
  const [month, year] = typed.expiry.split(/\\D+/).filter(Boolean)
  const data = { 'payment_method_data[type]': 'card', 'payment_method_data[card][number]': typed.number.replace(/\\D/g, ''), 'payment_method_data[card][cvc]': typed.cvc,
    'payment_method_data[card][exp_month]': month, 'payment_method_data[card][exp_year]': year }
  const result = await post(api + '/confirm', data, key)
  return (result.paymentIntent ?? result.setupIntent)?.status === 'requires_action' ? authenticate(key) : result
}
addEventListener('message', async ({ data, source }) => {
  if (source !== parent || data?.type !== 'confirm') return
  tell({ type: 'result', ask: data.ask, result: await confirm(data.key) })
})
card.onsubmit = (event) => event.preventDefault()
card.oninput = () => tell({ type: 'change', complete: isComplete(values()) })
new ResizeObserver(() => tell({ type: 'size', height: document.body.scrollHeight })).observe(document.body)
tell({ type: 'ready' })
</script>
</body>
</html>
`
}
