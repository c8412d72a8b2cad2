/** Milliseconds: how long the focus may take to reach an opened layer; and the pause between two commands, so that the page keeps up. */
const [focusTimeoutMs, pause] = [600, 16]
const commands = /^(Enter|Backspace|Delete|Home|End|Arrow(Up|Down|Left|Right))$/
const layers = '[role="dialog"]:not([hidden]), [role="alertdialog"], [role="menu"], [role="listbox"]'

const held: KeyboardEvent[] = []
/** Cancel functions of the loading layers, in the order they were opened. */
const onTheirWay = new Set<() => void>()
/** The previously focused element; null once the layer has the focus. */
let before: Element | null = null
let isListening = false
/** Whether the key being dispatched is a replayed one. */
let isTyping = false

/**
 * Buffers typing for a layer that is loading, and replays it as soon as the layer has the focus: fast typing neither loses letters nor
 * triggers something else with Enter. Escape cancels the layer. Returns a function that stops buffering.
 */
export function bufferKeys(callOff: () => void): () => void {
  onTheirWay.add(callOff)
  before = document.activeElement
  if (!isListening) {
    isListening = true
    window.addEventListener('keydown', hold, { capture: true })
    void handOver()
  }
  return () => void onTheirWay.delete(callOff)
}

/** The layer failed to load or is no longer wanted: discards its buffered keys. */
export function dropBufferedKeys(): void {
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
    dropBufferedKeys()
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
      if (waited > focusTimeoutMs) dropBufferedKeys()
    }
  }
  isListening = false
  window.removeEventListener('keydown', hold, { capture: true })
}

/** A key, or text for a field, inserted as a whole: a partial word would search for something else and make it selectable. */
async function typeNext() {
  const first = held.shift()
  if (first) type(first)
  while (held[0]?.key.length === 1 && isField(document.activeElement)) {
    await Promise.resolve() // lets the page process the previous letter
    type(held.shift()!)
  }
}

/** Once the layer has had the focus, remaining keys go wherever the focus is. */
function isThere(): boolean {
  const now = document.activeElement
  return before === null || (now !== before && (isField(now) || now?.closest(layers) != null))
}

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Replays a key like a physical press: dispatches it, and performs the default action unless prevented. */
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
