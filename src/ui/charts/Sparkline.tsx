import { useRecharts } from './useRecharts.ts'

interface SparklineProps {
  values: readonly number[]
  /** From the lowest value up, for values far above zero. */
  isFitted?: boolean
}

/** A trend line for the number next to it, which carries the information. */
export function Sparkline({ values, isFitted = false }: SparklineProps) {
  const { drawings } = useRecharts()
  return (
    <div aria-hidden="true" className="h-5 w-18">
      {drawings && <drawings.DrawnLine values={values} isFitted={isFitted} />}
    </div>
  )
}
