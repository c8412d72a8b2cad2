import type { Language } from '../../../shared/translations.ts'

/** What a page needs to show Stripe's form. */
export interface CardRequest {
  clientSecret: string
  publishableKey: string
  jsUrl: string
}

/** The part of Stripe.js that the page uses. */
interface Stripe {
  elements: (options: { clientSecret: string; locale: string; appearance: object }) => Elements
  confirmPayment: (options: { elements: Elements; redirect: 'if_required' }) => Promise<{
    error?: { type: string; code?: string; decline_code?: string }
    paymentIntent?: { status: string }
  }>
  confirmSetup: (options: { elements: Elements; redirect: 'if_required' }) => Promise<{
    error?: { type: string; code?: string; decline_code?: string }
    setupIntent?: { status: string }
  }>
}
interface Elements {
  create: (type: 'payment') => PaymentElement
}
interface PaymentElement {
  mount: (target: HTMLElement) => void
  on: (event: 'ready' | 'loaderror', listener: () => void) => unknown
  destroy: () => void
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe
  }
}

let loading: Promise<void> | null = null

/** Loads Stripe's script, which has to come from Stripe itself. Throws if it does not load. */
function loadScript(url: string): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      loading = null
      reject(new Error('Couldn’t load Stripe’s script'))
    })
    document.head.append(script)
  })
  return loading
}

/** A token of the design as #rrggbb: Stripe's form does not know the notation that ours are in. */
function colorOf(token: string): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas) return '#000000'
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token).trim()
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export type Outcome = 'paid' | 'processing' | { failureCode: string } | 'incomplete' | 'unknown'

export interface CardForm {
  /** Charges the card, or keeps it where the server asked for no payment. `unknown`: the connection broke, so the server has to be asked. */
  pay: () => Promise<Outcome>
  remove: () => void
}

/** Shows Stripe's card form in its own frame, which our page cannot read. Throws if it cannot be loaded. */
export async function showCardForm(
  { clientSecret, publishableKey, jsUrl }: CardRequest,
  target: HTMLElement,
  language: Language,
): Promise<CardForm> {
  await loadScript(jsUrl)
  const stripe = window.Stripe!(publishableKey)
  const variables = {
    colorPrimary: colorOf('--accent'),
    colorBackground: colorOf('--bg-raised'),
    colorText: colorOf('--fg-1'),
    colorDanger: colorOf('--danger-fg'),
    borderRadius: '8px',
  }
  const elements = stripe.elements({ clientSecret, locale: language === 'fr' ? 'fr-CA' : 'en', appearance: { theme: 'stripe', variables } })
  const element = elements.create('payment')
  await new Promise<void>((resolve, reject) => {
    element.on('ready', resolve)
    element.on('loaderror', () => reject(new Error('Couldn’t load Stripe’s form')))
    element.mount(target)
  })
  return {
    async pay() {
      const options = { elements, redirect: 'if_required' } as const
      const { error, status } = clientSecret.startsWith('seti_')
        ? await stripe.confirmSetup(options).then(({ setupIntent, ...rest }) => ({ ...rest, status: setupIntent?.status }))
        : await stripe.confirmPayment(options).then(({ paymentIntent, ...rest }) => ({ ...rest, status: paymentIntent?.status }))
      if (error?.type === 'validation_error') return 'incomplete'
      if (error?.type === 'card_error') return { failureCode: error.decline_code ?? error.code ?? '' }
      if (status === 'succeeded') return 'paid'
      return status === 'processing' ? 'processing' : 'unknown'
    },
    remove: () => element.destroy(),
  }
}
