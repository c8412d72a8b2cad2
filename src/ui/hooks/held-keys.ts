/** Milliseconds: how long the focus may take to come into what was opened; and between two commands, so that the page keeps up. */
const [patience, pause] = [600, 16]
const commands = /^(Enter|Backspace|Delete|Home|End|Arrow(Up|Down|Left|Right))$/
const layers = '[role="dialog"]:not([hidden]), [role="alertdialog"], [role="menu"], [role="listbox"]'

const held: KeyboardEvent[] = []
/** How each of the layers that are on their way is called off; the last was opened last. */
const onTheirWay = new Set<() => void>()
/** What had the focus until then; null once the layer has it. */
let before: Element | null = null
let isListening = false
/** Whether the key that is said now is one that was kept. */
let isTyping = false

/**
 * Keeps what is typed for a layer that is on its way, and types it there as soon as the layer has the focus: a quick hand neither loses letters
 * nor does something else with Enter. Escape calls the layer off. Returns what ends the waiting.
 */
export function holdKeys(callOff: () => void): () => void {
  onTheirWay.add(callOff)
  before = document.activeElement
  if (!isListening) {
    isListening = true
    window.addEventListener('keydown', hold, { capture: true })
    void handOver()
  }
  return () => void onTheirWay.delete(callOff)
}

/** The layer did not come, or is no longer wanted: what was meant for it is meant for nothing else. */
export function dropHeldKeys(): void {
  held.length = 0
  before = null
}

function hold(event: KeyboardEvent) {
  if (isTyping) return
  const { key, isComposing, ctrlKey, metaKey, altKey } = event
  const callOff = [...onTheirWay].at(-1)
  if (!callOff && isThere()) before = null
  if (!callOff && before === null && held.length === 0) return
  if (isComposing || ctrlKey || metaKey || altKey) return
  if (key === 'Escape' && callOff) {
    dropHeldKeys()
    callOff()
  } else if (key.length === 1 || commands.test(key)) held.push(event)
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}

async function handOver() {
  let waited = 0
  while (onTheirWay.size > 0 || held.length > 0 || before !== null) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (onTheirWay.size > 0) waited = 0
    else if (isThere()) {
      before = null
      await typeNext()
    } else {
      waited += pause
      if (waited > patience) dropHeldKeys()
    }
  }
  isListening = false
  window.removeEventListener('keydown', hold, { capture: true })
}

/** A key, or what is written into a field: that is there whole, because half a word finds what was not looked for, to be seen and pressed. */
async function typeNext() {
  const first = held.shift()
  if (first) type(first)
  while (held[0]?.key.length === 1 && isField(document.activeElement)) {
    await Promise.resolve() // the page takes in the letter before
    type(held.shift()!)
  }
}

/** Once the layer has had the focus, the rest goes wherever its keys lead. */
function isThere(): boolean {
  const now = document.activeElement
  return before === null || (now !== before && (isField(now) || now?.closest(layers) != null))
}

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** As the browser does with a key of a hand: says it, and does what it does where no one has done anything else. */
function type({ key, code, shiftKey }: KeyboardEvent) {
  const target = document.activeElement ?? document.body
  isTyping = true
  const isFree = target.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }))
  isTyping = false
  if (!isFree) return
  if (isField(target)) {
    if (key.length === 1) document.execCommand('insertText', false, key)
    else if (key === 'Backspace') document.execCommand('delete')
    else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
  } else if ((key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('button, a[href], [role="checkbox"]')) {
    target.click()
  }
}
