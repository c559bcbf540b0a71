# Pieces walk and carry what lies on them; '~' turns a pile over, '#' blocks the way.
import gridkit as gk

game = gk.StackingGame.parse(
    """
    .0>  .   .   .1<
    .    .   ~   .
    .2>  .   #   .
    .    .   .   .3^
    """
)
result = game.play()
print(result)
show(result)
