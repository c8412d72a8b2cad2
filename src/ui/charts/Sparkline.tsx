import { useDrawings } from './useDrawings.ts'

/** How a number came about, day by day; the number beside it says what matters. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const { drawings } = useDrawings()
  return (
    <div aria-hidden="true" className="h-5 w-18">
      {drawings && <drawings.DrawnLine values={values} />}
    </div>
  )
}
