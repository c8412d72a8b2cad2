import type { Size } from '../../adjust-rules.ts'
import { ShapeMark } from './ShapeMark.tsx'
import type { LayerData } from './useLayers.ts'

/** Layers of markup that are only shown. */
export function Layers({ layers, size }: { layers: readonly LayerData[]; size: Size }) {
  return layers.map((layer) => (
    <g key={layer.id} aria-hidden="true" className="pointer-events-none">
      {layer.shapes.map((shape) => (
        <ShapeMark key={shape.id} shape={shape} shapes={layer.shapes} size={size} />
      ))}
    </g>
  ))
}
