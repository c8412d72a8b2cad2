/**
 * Runs before everything else in the bundle.
 *
 * Libraries (sonner, Radix's scroll lock and Select) make style elements at run time; the content security policy wants the response's nonce on
 * each. And Zod must not probe for `eval`, which the policy reports as a violation: this is what its `config({ jitless: true })` sets, without
 * loading Zod into a page that has no form.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce

if (nonce) {
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}

const zod = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
zod.__zod_globalConfig = { ...zod.__zod_globalConfig, jitless: true }

// Actions started from the keyboard skip animations (see tokens.css).
addEventListener('keydown', () => document.documentElement.setAttribute('data-input', 'keyboard'), { capture: true })
addEventListener('pointerdown', () => document.documentElement.removeAttribute('data-input'), { capture: true })
