const english = 'Demo. The patients are invented, and email and text messages go to simulators, not to anyone.'

/** A notice shown wherever the demo's simulators replace real services. */
export function DemoBanner({ text = english }: { text?: string }) {
  return (
    <p role="note" className="flex-none bg-info-soft px-4 py-1.5 text-center text-xs font-medium text-info-fg">
      {text}
    </p>
  )
}
