import { useRecharts } from './useRecharts.ts'

/** A trend line for the number next to it, which carries the information. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const { drawings } = useRecharts()
  return (
    <div aria-hidden="true" className="h-5 w-18">
      {drawings && <drawings.DrawnLine values={values} />}
    </div>
  )
}
