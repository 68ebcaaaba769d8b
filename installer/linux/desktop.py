"""The desktop entry of the app: its place in menus, and what it opens, `idlebrush:` links and the files of runs."""

from core.desktop_entry import desktop_entry, escaped, exec_value
from core.run.join_link import RUN_FILE_TYPE, SCHEME

DESKTOP_ID = "idlebrush.desktop"
"""Name of the entry; the app gives it to the desktop as that of its windows (`gui.app.compose`)."""
_COMMENTS = {
    "": "Train a text-to-image model together with others while this computer is idle",
    "de": "Gemeinsam mit anderen ein Text-zu-Bild-Modell trainieren, während dieser Computer ungenutzt ist",
    "es": "Entrenar con otros un modelo de texto a imagen mientras este ordenador no se usa",
    "fr": "Entraîner avec d’autres un modèle texte-image pendant que cet ordinateur est inactif",
    "ru": "Вместе с другими обучать модель, рисующую по тексту, пока этот компьютер простаивает",
    "zh_CN": "在这台电脑空闲时，与其他人一起训练文本生成图像的模型",
}


def app_entry(program: str = "idlebrush") -> str:
    """Return the desktop entry that starts ``program``: a name in ``PATH``, or an absolute path."""
    comments = {
        f"Comment[{language}]" if language else "Comment": text for language, text in _COMMENTS.items()
    }
    return desktop_entry(
        {
            "Type": "Application",
            "Version": "1.0",
            "Name": "Idlebrush",
            **comments,
            "Exec": exec_value((program, "open"), field_code="%u"),
            "TryExec": escaped(program),
            "Icon": "idlebrush",
            "Terminal": "false",
            "StartupNotify": "true",
            "Categories": "Science;ArtificialIntelligence;",
            "Keywords": "volunteer;distributed;computing;training;pictures;GPU;",
            "MimeType": f"x-scheme-handler/{SCHEME};{RUN_FILE_TYPE};",
        }
    )
