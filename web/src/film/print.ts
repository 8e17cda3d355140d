/** Paper shows a copy of the picture: what graphics cards draw is gone when the page is printed. */
import {h} from '../dom';
import type {Stage} from '../scene/stage';

export function keepOnPaper(stage: Stage): void {
  const copy = h('canvas', {class: 'on-paper', 'aria-hidden': 'true'});
  stage.element.append(copy);
  addEventListener('beforeprint', () => {
    const drawn = stage.drawNow();
    [copy.width, copy.height] = [drawn.width, drawn.height];
    copy.getContext('2d')?.drawImage(drawn, 0, 0);
  });
  addEventListener('afterprint', () => ([copy.width, copy.height] = [0, 0]));
}
